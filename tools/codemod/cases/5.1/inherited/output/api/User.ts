import { createResource } from '@selfsame/core/rest';
import Base, { BaseEndpoint } from './Base';

export default class User extends Base {
  readonly name: string = '';
  static key = 'User';
}

export const userResource = createResource({
  path: '/user/:id',
  schema: User,
  Endpoint: BaseEndpoint,
  dataExpiryLength: 60_000,
  pollFrequency: 5_000,
}).extend(({ getList }) => ({
  getList: getList.extend({ schema: { results: [User] } }),
}));

export type UserFields = InstanceType<typeof User>;
