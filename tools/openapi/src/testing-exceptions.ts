/** What validators cannot take of a description as it is, each with its reason. All other parts are checked. */
export interface Exceptions {
  /** Formats that no validator knows, so their values are not checked, with the reason. */
  readonly formats?: Readonly<Record<string, string>>
  /** Why `nullable` stands without a type, which validators refuse: there it is read as one more choice, `null`. */
  readonly nullable?: string
  /** What is wrong in the description by the specification, so that it is not checked itself. */
  readonly mistakes?: string
}

const beside = 'OpenAPI 3.0 has `nullable` beside a type alone; here it stands beside choices or a reference.'

/** The exceptions of the public descriptions, by the name of the file. The others have none. */
export const exceptions: Readonly<Record<string, Exceptions>> = {
  fastapi: { mistakes: 'Its `tokenUrl` is relative, which the validator does not take.' },
  github: { nullable: beside },
  petstore: { mistakes: 'Swagger 2: the members that OpenAPI 3 has no more stand in what is made of it.' },
  slack: { nullable: beside },
  stripe: {
    nullable: beside,
    formats: {
      'unix-time': 'A format of Stripe alone: seconds since 1970.',
      decimal: 'In no vocabulary of JSON Schema: a number as text.',
    },
  },
}

/** A copy for validators, which change what they read: `nullable` without a type is a choice of `null`, if that is an exception. */
export function forValidators<T extends object>(description: T, { nullable }: Exceptions = {}): T {
  const copy = JSON.parse(JSON.stringify(description)) as T
  if (nullable !== undefined) chooseNull(copy)
  return copy
}

function chooseNull(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const inner of Object.values(value)) chooseNull(inner)
  const part = value as Record<string, unknown>
  if (part['nullable'] !== true || part['type'] !== undefined) return
  const { nullable: _, ...rest } = part
  for (const name of Object.keys(part)) delete part[name]
  Object.assign(part, { anyOf: [rest, { enum: [null] }] })
}
