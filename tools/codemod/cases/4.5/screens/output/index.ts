export { default as TodoResource, todoResource } from './TodoResource';
export { default as UserResource, userResource } from './UserResource';
