export { TodoList } from './components.js'
export { Todo, todoResource, todoServer } from '../todo-mocks.js'
import type { Fixture } from '@selfsame/core/testing'
export declare const fixtures: Fixture[]
