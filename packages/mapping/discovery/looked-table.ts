import type { SkippedRows } from '@drawbridge/records/table.ts';

/** A row of a table as it stands in a file; what it holds is not known yet. */
export interface LookedRow {
  /** As the setting `headerLine` counts; infinite for rows at the end whose place is not known. */
  readonly position: number;
  readonly fields: readonly string[];
}

/** Documents that are left out: those with one of these values in that column of their header. */
export interface LeaveOut {
  readonly column: string;
  readonly values: readonly string[];
}

/** How the documents of a table are read, in the words of the settings of files. */
export interface TableSettings {
  readonly headerLine: number;
  readonly documentColumn?: string;
  readonly continuedRows?: true;
  readonly rowSections?: {
    readonly column: string;
    readonly sections: Readonly<Record<string, string>>;
  };
  readonly skipRows?: readonly SkippedRows[];
  readonly leaveOut?: LeaveOut;
  readonly lineColumns?: readonly string[];
}
