import { type SQL, sql } from 'drizzle-orm'

/** A metadata field of the account `u` if it is a string. Clients can store anything there. */
const textIn = (key: string): SQL => sql`case when jsonb_typeof(u.raw_user_meta_data -> ${key}::text) = 'string'
  then nullif(trim(u.raw_user_meta_data ->> ${key}::text), '') end`

/** The name that the person gave, or null. */
export const memberNameSql: SQL = sql`coalesce(${textIn('full_name')}, ${textIn('name')})`
