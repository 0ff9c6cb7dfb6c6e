import { useSuspense } from 'rest-hooks';
import { Todo } from './api';

export const useTodo = (id: number) => useSuspense(Todo.detail(), { id });
