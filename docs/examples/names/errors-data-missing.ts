export {
  useSuspense as useSuspenseInSvelte,
  withOptions,
} from '@selfsame/svelte'
