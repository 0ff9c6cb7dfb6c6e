export { default as Base } from './Base';
export * from './Todo';
export { default as User, userResource } from './User';
