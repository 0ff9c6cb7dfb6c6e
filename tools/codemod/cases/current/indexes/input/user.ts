import { Entity, Index } from '@rest-hooks/rest';

export class User extends Entity {
  id = '';
  email = '';
  static indexes = ['email'] as const;
}
export const userIndex = new Index(User);
export const passedOn = new Index(User);
export const Own = ({ email }: { email: string }) => useCache(userIndex, { email })?.id;
