export { User } from './entities.js'
export interface Database {
  close(): void
}
export declare function open(name: string): Promise<Database>
export declare function withToken(
  headers: Readonly<Record<string, string>>,
): Record<string, string>
