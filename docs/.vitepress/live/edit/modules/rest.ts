export { NetworkError, RestEndpoint, createResource, resource } from '@selfsame/core/rest'
