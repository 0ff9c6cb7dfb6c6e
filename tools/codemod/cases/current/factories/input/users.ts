import appResource, { AppEndpoint, Base } from './base';

export class User extends Base {
  name = '';
  votes = 0;
}

export const UserResource = appResource({ path: '/user/:id', schema: User, optimistic: true })
  .extend('current', { path: '/me', schema: User })
  .extend({
    getList: { path: '/users', body: { name: '' } },
    vote: new AppEndpoint({
      path: '/user/:id/vote',
      method: 'POST',
      schema: User,
      getOptimisticResponse(snapshot, { id }) {
        const { data } = snapshot.getResponse(UserResource.get, { id });
        if (!data) throw snapshot.abort;
        return { id, votes: data.votes + 1, at: snapshot.fetchedAt };
      },
    }),
  });
