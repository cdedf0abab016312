import pg from 'pg'
import { addFieldsSql, addFieldValuesSql, checkTokens } from './many-field-values.ts'

/**
 * Fills a migrated database with `count` members who joined over six years, as a publication of that size might have: 15 %
 * with a plan, 25 % whose plan ended, seats, complimentary access, answers, locations, opens, tags, fields of the
 * publisher, two newsletters, and a few suppressed, disabled or unconfirmed accounts. Older members ended more often and newer
 * ones have no renewal yet, so filters depend on each other and on the time.
 */
export async function addManyMembers(url: string, count: number) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const step = async (what: string, text: string, values: unknown[] = []) => {
    const startedAt = performance.now()
    await client.query(text, values)
    console.error(`  ${what}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
  }
  await client.query('select setseed(0.5)')
  // Triggers would do the same work row by row; the facts are computed at the end, as the migration does.
  await client.query('set session_replication_role = replica')
  await step(
    `${count} users`,
    `insert into auth.users (id, aud, role, email, email_confirmed_at, raw_app_meta_data, raw_user_meta_data, created_at,
       updated_at, last_sign_in_at, banned_until)
     select gen_random_uuid(), 'authenticated', 'authenticated',
       (array['anna','ben','carla','dmitri','elena','farid','grace','hugo','ines','jonas'])[1 + n % 10] || '.' || n || '@'
         || (array['gmail.com','gmail.com','yahoo.com','franchise' || n % 997 || '.test'])[1 + n % 4],
       case when random() > 0.03 then now() end, '{}',
       jsonb_build_object('full_name', (array['Anna','Ben','Carla','Dmitri','Elena'])[1 + n % 5] || ' '
         || (array['Miller','Garcia','Nguyen','Okafor','Rossi','Schmidt','Tanaka'])[1 + n % 7] || n % 1000),
       now() - n * interval '190 seconds' * (1000000.0 / $1), now(),
       case when random() < 0.8 then now() - least(random() * random() * 2000, n * 190.0 / 86400) * interval '1 day' end,
       case when random() < 0.002 then now() + interval '100 years' end
     from generate_series(1, $1::int) n`,
    [count],
  )
  await step(
    'preferences',
    `insert into user_preferences (user_id, focus_areas, ai_level, goals, franchise_type)
     select id,
       (array['{Operations}','{Marketing,Sales}','{Technology}','{"Customer Service",Finance}','{Operations,Finance}'])[1 + floor(random() * 5)]::text[],
       (array['beginner','beginner','intermediate','advanced'])[1 + floor(random() * 4)],
       (array['{"Reduce costs"}','{"Increase efficiency"}','{"Scale operations","Stay competitive"}'])[1 + floor(random() * 3)]::text[],
       (array['Food & Beverage','Food & Beverage','Food & Beverage','Retail','Retail','Services','Services','Health & Fitness','Education'])[1 + floor(random() * 9)]
     from auth.users where random() < 0.7`,
  )
  await step(
    'subscriptions',
    `insert into subscription_state (user_id, stripe_subscription_id, status, product_id, price_id, current_period_start,
       current_period_end, unpaid_since, entitled_until, sync_seq, synced_at)
     select id, 'sub_' || id, status, product, 'price', starts, starts + interval '30 days',
       case when status = 'past_due' then now() - random() * interval '20 days' end, starts + interval '31 days', 1, now()
     from (
       select id, now() - random() * interval '29 days' as starts,
         (array['prod_pro_monthly','prod_pro_monthly','prod_pro_monthly','prod_pro_yearly','prod_team_monthly'])[1 + floor(random() * 5)] as product,
         case when created_at > now() - interval '14 days' then 'trialing'
           when p < 0.35 then 'active' when p < 0.355 then 'past_due' else 'canceled' end as status
       from (select id, created_at, random() as p from auth.users where random() < 0.4) chosen
     ) plans`,
  )
  await step('analyze', 'analyze')
  await step(
    'seats',
    `insert into team_seat (owner_id, seat, user_id, joined_at)
     select owner.id, 2, member.id, now() from
       (select user_id as id, row_number() over () as n from subscription_state where product_id = 'prod_team_monthly') owner
       join (select u.id, row_number() over () as n from auth.users u
         where not exists (select 1 from subscription_state s where s.user_id = u.id)) member using (n)
     where random() < 0.7`,
  )
  await step(
    'complimentary access',
    `insert into complimentary_access (user_id, until, granted_by, granted_at)
     select id, now() + (random() - 0.3) * interval '300 days', 'Admin', now() from auth.users where random() < 0.003`,
  )
  await step(
    'locations',
    `insert into business_location (id, user_id, name, created_at, updated_at)
     select gen_random_uuid(), id, 'Store ' || n, now(), now()
     from (select id, case when p < 0.02 then 6 when p < 0.08 then 2 else 1 end as locations
       from (select id, random() as p from auth.users) u where p < 0.3) chosen
     cross join lateral generate_series(1, locations) n`,
  )
  await step(
    'suppressions',
    `insert into suppressions (email, stream, reason, created_at)
     select email, 'all', 'hard_bounce', now() from auth.users where random() < 0.02`,
  )
  await step(
    'tags',
    `insert into member_tags (user_id, tag, joined_micros, added_at)
     select id, tag, (extract(epoch from created_at) * 1000000)::bigint, now() from (
       select id, created_at, 'vip' as tag from auth.users where random() < 0.0005
       union all select id, created_at, 'newsletter 2022' from auth.users where created_at < now() - interval '4 years'
       union all select id, created_at, 'webinar' from auth.users where random() < 0.05) tagged`,
  )
  await step(
    'newsletters',
    `insert into newsletter (id, name, members_only, subscribes_new_members, position, created_at, updated_at)
     values (1, 'Common', false, true, 1, now(), now()), (2, 'Rare', false, false, 2, now(), now())`,
  )
  await step(
    'subscriptions to newsletters',
    `insert into newsletter_subscription (newsletter_id, user_id, subscribed, changed_at)
     select 1, id, random() < 0.95, created_at from auth.users where random() < 0.9
     union all select 2, id, random() < 0.9, created_at from auth.users where random() < 0.003`,
  )
  await step(
    'email preferences',
    `insert into email_preferences (user_id, drops, news, free_since, updated_at)
     select id, case when random() < 0.5 then 'off' else 'weekly' end, random() < 0.6,
       case when random() < 0.3 then created_at end, now() from auth.users where random() < 0.1`,
  )
  await step(
    'sources',
    `insert into member_sources (user_id, first_source, first_campaign, first_path, first_at, last_source, last_campaign, last_at)
     select id, source, '', '/', created_at, source, '', created_at from (
       select id, created_at, (array['google','google','direct','direct','direct','newsletter'])[1 + floor(random() * 6)] as source
       from auth.users where created_at > now() - interval '3 years') visits`,
  )
  await step('fields', addFieldsSql)
  await step('values of fields', addFieldValuesSql)
  await checkTokens(client)
  await step('analyze', 'analyze')
  // Building an index at the end takes a fraction of adding each row to it.
  const { rows: indexes } = await client.query(
    `select indexname, indexdef from pg_indexes where tablename = 'member_facts' and indexdef not like '%UNIQUE%'`,
  )
  for (const { indexname } of indexes) await client.query(`drop index ${indexname}`)
  await step(
    'facts',
    `insert into member_facts (user_id, created_at, joined_micros, search, email_confirmed, disabled_until,
       last_signed_in_at, plan_status, product_id, plan_until, renews_at, seat_product_id, seat_until,
       complimentary_until, answers, franchise_type, locations, tags, suppressed, last_opened_at, last_clicked_at, noted,
       field_tokens)
     select f.*, case when random() < 0.5 then now() - random() * random() * interval '700 days' end,
       case when random() < 0.2 then now() - random() * random() * interval '700 days' end, random() < 0.01,
       coalesce(v.tokens, '{}')
     from current_member_facts(array(select id from auth.users)) f left join custom_field_values v using (user_id)
     order by joined_micros`,
  )
  await client.query(`set maintenance_work_mem = '512MB'`)
  for (const { indexname, indexdef } of indexes) await step(indexname, indexdef)
  await step('vacuum analyze', 'vacuum analyze')
  await client.end()
}
