import { optimistic } from '@selfsame/core/optimistic';
import { UserResource } from './users';
import { z } from 'zod';
import { elsewhere } from 'elsewhere';

const expected = (snapshot: any, params: any) => params;

export const follow = UserResource.current.extend({
  path: '/me/follow',
  method: 'POST',
  getOptimisticResponse: optimistic(expected),
});
export const Members = UserResource.extend(({ update }) => ({
  rename: update.extend({
    // Shown at once.
    getOptimisticResponse: optimistic((snapshot, params, body) => ({
      ...params,
      ...body,
    })),
  }),
}));
export const shape = z.object({}).extend({ get: { a: 1 } });
export const other = elsewhere({ path: '/x/:id', schema: {}, optimistic: true });
export const third = elsewhere.other.extend('current', { path: '/x' });
