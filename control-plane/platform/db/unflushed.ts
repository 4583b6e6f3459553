/** In the FROM of a statement outside of a transaction: it does not wait for the disk, and a crash of the database may undo it. */
export const unflushed = `set_config('synchronous_commit', 'off', true)`;
