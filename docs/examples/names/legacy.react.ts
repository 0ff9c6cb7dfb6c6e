export {
  useCache,
  useError,
  useInvalidator,
  useResetter,
  useResource,
  useRetrieve,
} from '@selfsame/react/legacy'
