import type { EndpointLike } from '@selfsame/core';
import { useDebounce, useController, useLoading } from '@selfsame/react';

export const useMutate = (endpoint: EndpointLike) => {
  const controller = useController();
  return useLoading((...args: unknown[]) => controller.fetch(endpoint, ...args));
};

export function useSearch(text: string) {
  return useDebounce(text, 200);
}
