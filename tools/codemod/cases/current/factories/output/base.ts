import { Entity } from '@selfsame/core';
import { RestEndpoint, createResource } from '@selfsame/core/rest';

export class Base extends Entity {
  id = 0;
}

/** The endpoints of this API. */
export class AppEndpoint extends RestEndpoint {
  urlPrefix = 'https://api.example.com';
}

export function appResource(options: any) {
  const made = createResource({ Endpoint: AppEndpoint, ...options });
  return made.extend(base => ({
    // The list of this API is an object.
    getList: base.getList.extend({ schema: { results: made.getList.schema, link: '' } }),

    // Its second comment.
    update: base.update.extend({ method: 'PATCH' }),
  })) as any;
}
export default appResource;
