import { Entity, resource } from '@data-client/rest';

class Base extends Entity {
  id = '';
}

export class Team extends Base {
  moments: number[] = [];
  constructor() {
    super();
    this.moments = [];
  }
}
export const TeamResource = resource({ path: '/team/:id', schema: Team });
