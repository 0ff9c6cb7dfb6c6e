import { Entity } from '@selfsame/core';
import { resource } from '@selfsame/core/rest';

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
