export declare function fetchTable(): Promise<{
  columns: string[]
  rows: unknown[][]
}>
export declare function fetchReport(): Promise<{ total: number }>
