import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { useState } from 'react'
import { invoke } from '#client/lib/calls.ts'
import { errorMessage } from '#client/lib/error-message.ts'
import { useDebounced } from '#client/lib/use-debounced.ts'
import { InlineChoices } from '#client/ui/choice.tsx'
import { Section } from '#client/ui/page-parts.tsx'
import { TrustedHtml } from '#client/ui/trusted-html.tsx'
import {
  adminPreviewEmailTextCall,
  adminPreviewPageCall,
  adminPreviewPublicationCall,
  type PreviewPart,
  previewParts,
  type SettingGroup,
  type SettingValues,
} from '#shared/contracts/publishing/site-settings.ts'

type Theme = 'light' | 'dark'

/** `shown`: a part of the publication, a page or an email. The page that visitors would see, or an email; `subject` and `text` are those of an email. */
export const previewQuery = (group: SettingGroup, values: SettingValues, shown: string, theme: Theme) =>
  queryOptions({
    queryKey: ['site-settings-preview', group, values, shown, theme],
    queryFn: async ({ signal }): Promise<{ html: string; subject?: string; text?: string }> => {
      if (group === 'emails') return invoke(adminPreviewEmailTextCall, { values, email: shown, theme }, signal)
      if (group === 'pages') return invoke(adminPreviewPageCall, { values, name: shown, theme }, signal)
      return invoke(adminPreviewPublicationCall, { values, theme, part: shown as PreviewPart }, signal)
    },
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 60_000,
  })

const widths = { phone: 'Phone', desktop: 'Desktop' } as const
const themes = { light: 'Light', dark: 'Dark' } as const
export const typingMs = 400

type SettingsPreviewProps = {
  group: SettingGroup
  values: SettingValues
  /** Key of an email or name of a page; empty for the publication. */
  shown: string
}

/** Shows what readers would see if the values were saved. */
export function SettingsPreview({ group, values, shown }: SettingsPreviewProps) {
  const [theme, setTheme] = useState<Theme>('light')
  const [width, setWidth] = useState<keyof typeof widths>('desktop')
  const [part, setPart] = useState<PreviewPart>('landing')
  const draft = useDebounced(values, typingMs)
  const what = group === 'publication' ? part : shown
  const { data, error, isPlaceholderData } = useQuery(previewQuery(group, draft, what, theme))
  return (
    <Section title="Preview" lede="What readers would see. Nothing is saved yet.">
      {group !== 'pages' && (
        <div className="flex flex-wrap gap-x-8">
          {group === 'publication' && (
            <InlineChoices legend="Shown" options={previewParts} value={part} onChange={setPart} />
          )}
          <InlineChoices legend="Theme" options={themes} value={theme} onChange={setTheme} />
          <InlineChoices legend="Width" options={widths} value={width} onChange={setWidth} />
        </div>
      )}
      {error && <p className="mt-3 font-medium text-danger">{errorMessage(error)}</p>}
      {data && (
        <div aria-busy={isPlaceholderData} className="mt-3">
          {data.subject && (
            <p dir="auto" className="mb-2 font-semibold [overflow-wrap:anywhere]">
              {data.subject}
            </p>
          )}
          {group === 'pages' ? (
            <TrustedHtml html={data.html || '<p>No text yet.</p>'} className="prose max-w-[68ch]" />
          ) : (
            // Sandboxed without scripts. The same origin lets it load our fonts.
            <iframe
              title="Preview"
              sandbox="allow-same-origin"
              srcDoc={data.html}
              className={clsx(
                'h-[40rem] rounded-md border border-line bg-surface',
                width === 'phone' ? 'w-[360px] max-w-full' : 'w-full',
              )}
            />
          )}
        </div>
      )}
    </Section>
  )
}
