import { useSuspense } from '@selfsame/react';
import { todoResource } from './api';

export const useTodo = (id: number) => useSuspense(todoResource.get, { id });
