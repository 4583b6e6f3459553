-- A provider that lost our answer sends its call-back again, with the same token. At the same address it changes nothing.
alter table voice_callback_once add column address text;
