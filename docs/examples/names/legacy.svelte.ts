export {
  useCache,
  useError,
  useInvalidator,
  useResetter,
  useResource,
  useRetrieve,
} from '@selfsame/svelte/legacy'
