import { Entity, RestEndpoint, createResource } from '@data-client/rest';

export class Base extends Entity {
  id = 0;
}

/** The endpoints of this API. */
export class AppEndpoint extends RestEndpoint {
  urlPrefix = 'https://api.example.com';
}

export function appResource(options: any) {
  const made = createResource({ Endpoint: AppEndpoint, ...options });
  return made.extend({
    // The list of this API is an object.
    getList: { schema: { results: made.getList.schema, link: '' } },
    // Its second comment.
    update: { method: 'PATCH' },
  }) as any;
}
export default appResource;
