export { Issue, Todo, User, todoResource } from './entities.js'
export declare function fetchStory(): Promise<Response>
