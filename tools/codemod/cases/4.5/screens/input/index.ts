export { default as TodoResource } from './TodoResource';
export { default as UserResource } from './UserResource';
