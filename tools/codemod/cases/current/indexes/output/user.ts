import { Entity } from '@selfsame/core';
import { useQuery } from '@selfsame/react';
import { Index } from '@rest-hooks/rest';

export class User extends Entity {
  id = '';
  email = '';
  static indexes = ['email'] as const;
}
export const passedOn = new Index(User);
export const Own = ({ email }: { email: string }) => useQuery(User, { email })?.id;
