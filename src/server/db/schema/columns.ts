import { customType, timestamp } from 'drizzle-orm/pg-core'

export const instant = (name: string) => timestamp(name, { withTimezone: true })

export const bytea = customType<{ data: Uint8Array<ArrayBuffer> }>({
  dataType: () => 'bytea',
  // PGlite returns a Uint8Array, pg a Buffer on a shared pool: copy both to a plain array.
  fromDriver: (value) => Uint8Array.from(value as Uint8Array),
  toDriver: (value) => Buffer.from(value),
})
