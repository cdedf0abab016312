import type { Db } from '#server/db/database.ts'
import { readMethod, readMethodText } from '#server/features/library/content/read-pages.ts'
import { renderPage } from '#server/features/library/content/render-markdown.ts'
import type { Method } from '#shared/contracts/publishing/content-pages.ts'
import type { SettingsPage, SettingValues } from '#shared/contracts/publishing/site-settings.ts'
import { readSettings } from './setting-store.ts'

/** The method page with the publisher's text, which replaces that of the content file. The criteria stay. */
export async function readMethodPage(db: Db): Promise<Method> {
  const [method, { values }] = await Promise.all([readMethod(db), readSettings(db, 'pages')])
  return values.method ? { ...method, checkedOn: null, html: renderPage(values.method) } : method
}

/** The default of the setting is the text of the content file, which isn't known before the content is read. */
export async function withMethodDefault(db: Db, page: SettingsPage): Promise<SettingsPage> {
  const text = await readMethodText(db)
  return {
    ...page,
    fields: page.fields.map((field) => (field.name === 'method' ? { ...field, default: text } : field)),
  }
}

/** Leaves out a text that equals the content file's. */
export async function withoutMethodDefault(db: Db, values: SettingValues): Promise<SettingValues> {
  const { method, ...others } = values
  const isDefault = method === undefined || method.trim() === '' || method.trim() === (await readMethodText(db))
  return isDefault ? others : values
}
