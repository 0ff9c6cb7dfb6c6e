export {
  Article,
  Todo,
  articleResource,
  getStatistics,
  todoResource,
  uploadFile,
} from './entities.js'
export type { Statistics } from './entities.js'
export { getList } from './lists.js'
export declare const index: {
  search(
    text: string,
    init: { signal: AbortSignal | undefined },
  ): Promise<string[]>
}
