import { useQuery } from '@selfsame/react';
import { User } from './user';

export const isUser = (email: string, user: User) => useQuery(User, { email }) === user;
