import { useDebounce } from '@data-client/hooks';
import { EndpointInstance } from '@data-client/endpoint';
import { useController, useLoading } from '@data-client/react';

export const useMutate = (endpoint: EndpointInstance) => {
  const controller = useController();
  return useLoading((...args: unknown[]) => controller.fetch(endpoint, ...args), [controller, endpoint]);
};

export function useSearch(text: string) {
  return useDebounce(text, 200);
}
