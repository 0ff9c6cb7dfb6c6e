export { Todo } from './api';
export * from './screens';
