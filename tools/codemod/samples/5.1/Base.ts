import { Resource } from '@rest-hooks/rest'
import type { AbstractInstanceType } from '@rest-hooks/rest'

export abstract class Base extends Resource {
  readonly id: number = 0

  override pk() {
    return `${this.id}`
  }

  static override getEndpointExtra() {
    return { dataExpiryLength: 60_000 }
  }

  static getFetchInit(init: RequestInit): RequestInit {
    return { ...init, credentials: 'include' }
  }
}
export type Fields<Class extends typeof Base> = Partial<AbstractInstanceType<Class>>
