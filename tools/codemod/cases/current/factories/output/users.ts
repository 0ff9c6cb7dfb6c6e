import { optimistic } from '@selfsame/core/optimistic';
import appResource, { AppEndpoint, Base } from './base';

export class User extends Base {
  name = '';
  votes = 0;
}

export const UserResource = appResource({ path: '/user/:id', schema: User, optimistic })
  .extend(base => ({
  current: base.get.extend({ path: '/me', schema: User }),
}))
  .extend(base => ({
  getList: base.getList.extend({
    path: '/users',
  }),

  vote: new AppEndpoint({
    path: '/user/:id/vote',
    method: 'POST',
    schema: User,

    getOptimisticResponse: optimistic((snapshot, { id }) => {
      const { data } = snapshot.read(UserResource.get, { id });
      if (!data)
        return undefined;
      return { id, votes: data.votes + 1, at: snapshot.now };
    }),
  }),
}));
