import { type ComponentProps, useState } from 'react'
import { MarkdownField } from '#client/features/publishing/documents/markdown-field.tsx'
import { SitePageList } from '#client/features/publishing/site-pages/site-page-list.tsx'
import { SettingsEditor } from '#client/features/publishing/site-settings/settings-editor.tsx'
import { TrustPagesForm } from '#client/features/publishing/trust-pages/trust-pages-form.tsx'
import { SelectField } from '#client/ui/form.tsx'
import { PageHeading } from '#client/ui/page-parts.tsx'
import type { RenderMarkdownField } from '#client/ui/render-markdown-field.ts'
import type { SettingField } from '#shared/contracts/publishing/site-settings.ts'

const renderMarkdownField = (field: ComponentProps<typeof MarkdownField>) => (
  <MarkdownField {...field} withBlocks={false} />
)

export function Component() {
  return (
    <>
      <PageHeading title="Pages" className="mb-8" />
      <SitePageList />
      <PageSettings renderMarkdownField={renderMarkdownField} />
      <TrustPagesForm renderMarkdownField={renderMarkdownField} />
    </>
  )
}

/** Sections of which each field is a page. The other sections are one page each. */
const sectionsOfPages: ReadonlySet<string> = new Set(['Pages', 'Old addresses'])
const pageOf = ({ name, section }: SettingField) => (sectionsOfPages.has(section) ? name : section)
const labelOf = ({ label, section }: SettingField) => (sectionsOfPages.has(section) ? label : section)

/** Where members read the pages that come with the product. */
const addresses: Readonly<Record<string, string>> = {
  method: '/portal/method',
  Glossary: '/portal/glossary',
  'Safety rules': '/portal/safety',
  'Start here': '/portal/start-here',
  'How we choose: title and criteria': '/portal/method',
}

/** Privacy policy, terms and the pages of the portal, one at a time. */
function PageSettings({ renderMarkdownField }: { renderMarkdownField: RenderMarkdownField }) {
  const [page, setPage] = useState('privacy')
  const address = addresses[page]
  return (
    <SettingsEditor
      group="pages"
      shown={page}
      isShown={(field) => pageOf(field) === page}
      hasPreview={page !== 'Included pages' && (!address || page === 'method')}
      renderMarkdownField={renderMarkdownField}
    >
      {(fields) => (
        <div className="mb-8 flex flex-wrap items-end gap-x-6 gap-y-3">
          <SelectField
            label="Page"
            fieldClassName="w-full max-w-md"
            value={page}
            onChange={({ target }) => setPage(target.value)}
          >
            {[...new Map(fields.map((field) => [pageOf(field), labelOf(field)]))].map(([key, label]) => (
              <option key={key} value={key}>
                {label}
              </option>
            ))}
          </SelectField>
          {address && (
            <a href={address} className="text-link inline-flex min-h-11 items-center">
              View page
            </a>
          )}
        </div>
      )}
    </SettingsEditor>
  )
}
