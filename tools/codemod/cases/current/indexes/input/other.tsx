import { useCache } from '@rest-hooks/react';
import { User, userIndex as byEmail } from './user';

export const isUser = (email: string, user: User) => useCache(byEmail, { email }) === user;
