export { optimistic } from '@selfsame/core/optimistic'
