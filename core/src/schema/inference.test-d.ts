import { Entity, schema } from '../index.js'
import type { Denormalize } from '../index.js'
import { webSocket } from '../live.js'
import { RestEndpoint } from '../rest.js'
import { expectTypeOf, test } from 'vitest'

class Cat extends Entity {
  id = 0
  kind = 'cat'
}
class Dog extends Entity {
  id = 0
  kind = 'dog'
}

test('the function that chooses a schema needs no annotations', () => {
  const list = new schema.Array({ cat: Cat, dog: Dog }, (value, parent, key) =>
    String(value.kind ?? parent.kind ?? key),
  )
  const map = new schema.Values({ cat: Cat, dog: Dog }, (value, _parent, key) => `${value.kind}${key}`)
  const named = new schema.Array({ cat: Cat, dog: Dog }, 'kind')
  const annotated = new schema.Array({ cat: Cat, dog: Dog }, ({ kind }: { kind: string }) => kind)
  const single = new schema.Array(Cat)
  expectTypeOf<Denormalize<typeof list>>().toEqualTypeOf<(Cat | Dog)[]>()
  expectTypeOf<Denormalize<typeof map>>().toEqualTypeOf<Record<string, Cat | Dog>>()
  expectTypeOf<Denormalize<typeof named>>().toEqualTypeOf<(Cat | Dog)[]>()
  expectTypeOf<Denormalize<typeof annotated>>().toEqualTypeOf<(Cat | Dog)[]>()
  expectTypeOf<Denormalize<typeof single>>().toEqualTypeOf<Cat[]>()
  // @ts-expect-error a mapping needs an attribute
  void new schema.Array({ cat: Cat, dog: Dog })
  // @ts-expect-error the attribute is no text
  void new schema.Array({ cat: Cat, dog: Dog }, () => 5)
})

test('the params of a subscription need no annotations', () => {
  const socket = webSocket('wss://example.com')
  const get = new RestEndpoint({ path: '/cat/:id', schema: Cat })
  const live = get.extend({ stream: socket.stream({ subscribe: ({ id }) => ({ type: 'subscribe', id }) }) })
  expectTypeOf(live).toBeCallableWith({ id: 5 })
})
