import { hash } from '@node-rs/argon2'
import pg from 'pg'
import { signIn } from './server.ts'

const benchPassword = 'a password for measuring'

/**
 * Fills a migrated database with `count` users as sign-up creates them: each with an identity, half with preferences, a
 * fifth with an active subscription. Uses one statement per table and a cheap password hash.
 */
export async function addManyUsers(url: string, count: number) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const encrypted = await hash(benchPassword, { memoryCost: 64, timeCost: 1, parallelism: 1 })
  const step = async (what: string, text: string, values: unknown[] = []) => {
    const startedAt = performance.now()
    await client.query(text, values)
    console.error(`  ${what}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
  }
  await step(
    `${count} users`,
    `insert into auth.users (id, aud, role, email, encrypted_password, email_confirmed_at, raw_app_meta_data,
       raw_user_meta_data, created_at, updated_at)
     select gen_random_uuid(), 'authenticated', 'authenticated',
       (array['anna','ben','carla','dmitri','elena','farid','grace','hugo','ines','jonas'])[1 + n % 10] || '.' || n || '@franchise' || n % 997 || '.test',
       $1, now(), '{"provider":"email","providers":["email"]}', '{}', now() - n * interval '31 seconds', now()
     from generate_series(1, $2::int) n`,
    [encrypted, count],
  )
  await step(
    'identities',
    `insert into auth.identities (provider_id, user_id, identity_data, provider, created_at, updated_at)
     select id::text, id, jsonb_build_object('sub', id, 'email', email), 'email', created_at, created_at from auth.users u
     where not exists (select 1 from auth.identities i where i.user_id = u.id)`,
  )
  await step(
    'preferences',
    `insert into user_preferences (user_id, focus_areas, ai_level, goals, franchise_type)
     select id, array['Operations'], 'beginner', array['Reduce costs'], 'Retail' from auth.users
     where substr(id::text, 1, 1) in ('0','2','4','6','8','a','c','e') on conflict do nothing`,
  )
  await step(
    'subscriptions',
    `insert into subscription_state (user_id, stripe_subscription_id, status, product_id, price_id, current_period_start,
       current_period_end, entitled_until, sync_seq, synced_at)
     select id, 'sub_' || id, 'active', 'prod_pro_monthly', 'price_pro_monthly', now() - interval '1 day',
       now() + interval '29 days', now() + interval '30 days', 1, now()
     from auth.users where substr(id::text, 1, 1) in ('0','5','a') on conflict do nothing`,
  )
  await step('vacuum analyze', 'vacuum analyze')
  await client.end()
}

/** Signs in `count` random users and returns their access tokens. */
export async function signInSome(url: string, databaseUrl: string, count: number): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ email: string }>(
    `select email from auth.users where email like '%@franchise%' order by random() limit $1`,
    [count],
  )
  await client.end()
  const tokens: string[] = []
  for (const { email } of rows) tokens.push((await signIn(url, email, benchPassword)).access_token)
  return tokens
}
