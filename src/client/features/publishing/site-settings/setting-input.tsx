import { useMutation } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { type ChangeEvent, type ReactNode, useId } from 'react'
import { upload } from '#client/lib/calls.ts'
import { errorMessage } from '#client/lib/error-message.ts'
import { Button } from '#client/ui/button.tsx'
import { Field, OptionList } from '#client/ui/form.tsx'
import { inputStyles } from '#client/ui/input-styles.ts'
import type { RenderMarkdownField } from '#client/ui/render-markdown-field.ts'
import { adminUploadLogoCall } from '#shared/contracts/publishing/publishing-library.ts'
import type { SettingField } from '#shared/contracts/publishing/site-settings.ts'

type ImageUse = 'logo' | 'icon' | 'picture'

/** Returns the setting: the image with its size, and for a picture its small version. */
const useUploadImage = (use: ImageUse) =>
  useMutation({
    mutationFn: async (file: File) => {
      const name = file.name.slice(0, 200)
      const { path, width, height } = await upload(adminUploadLogoCall, { name, use }, file)
      const image = `${path}#${width}x${height}`
      if (use !== 'picture') return image
      return `${image} ${(await upload(adminUploadLogoCall, { name, use: 'picture-small' }, file)).path}`
    },
  })

type SettingInputProps = {
  field: SettingField
  /** Undefined for the default. */
  value: string | undefined
  error: string | undefined
  onChange: (value: string | undefined) => void
  renderMarkdownField?: RenderMarkdownField
  renderLinksField?: RenderLinksField
}

/** Renders the editor of a list of links. */
export type RenderLinksField = (field: {
  label: string
  hint: string
  error: string | undefined
  options: readonly { value: string; label: string }[]
  value: string
  onChange: (value: string) => void
}) => ReactNode

/** The palette's pine, which the color field shows while no color is chosen. */
const pine = '#0f533c'

const rows = { text: 3, lines: 5, links: 5, markdown: 14 } as const

/** A field with its default to return to. */
export function SettingInput(props: SettingInputProps) {
  const { field, value, onChange } = props
  return (
    <div>
      <Control {...props} />
      {value !== undefined && value !== field.default && (
        <Button
          variant="quiet"
          size="sm"
          className="-ml-3"
          aria-label={`Use default: ${field.label}`}
          onClick={() => onChange(undefined)}
        >
          Use default
        </Button>
      )}
    </div>
  )
}

function Control({ field, value, error, onChange, renderMarkdownField, renderLinksField }: SettingInputProps) {
  const { name, label, kind, default: initial, maxLength, hint, options = [] } = field
  const text = value ?? initial
  if (kind === 'markdown' && renderMarkdownField) {
    return renderMarkdownField({ path: name, label, hint, error, rows: rows.markdown, value: text, onChange })
  }
  if (kind === 'links' && renderLinksField) {
    return renderLinksField({ label, hint, error, options, value: text, onChange })
  }
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => {
        const common = {
          ...control,
          value: text,
          onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => onChange(target.value),
        }
        if (kind === 'logo' || kind === 'icon' || kind === 'picture') {
          return <ImageInput id={control.id} use={kind} value={text} onChange={onChange} />
        }
        if (kind === 'choice') {
          return (
            <select {...control} value={text} onChange={({ target }) => onChange(target.value)} className={inputStyles}>
              <OptionList of={options.map((option) => [option.value, option.label])} />
            </select>
          )
        }
        if (kind === 'date') {
          return <input {...common} type="date" className={clsx(inputStyles, 'max-w-52')} />
        }
        if (kind === 'color') return <ColorInput {...common} />
        if (kind === 'line') {
          return <input {...common} type="text" dir="auto" maxLength={maxLength} className={inputStyles} />
        }
        return (
          <textarea
            {...common}
            dir="auto"
            rows={rows[kind]}
            maxLength={maxLength}
            className={clsx(inputStyles, 'field-sizing-content max-h-[40rem] py-2.5')}
          />
        )
      }}
    </Field>
  )
}

type ControlProps = { id: string; value: string; onChange: (event: ChangeEvent<HTMLInputElement>) => void }

function ColorInput({ value, ...control }: ControlProps) {
  return (
    <div className="flex gap-3">
      <input
        type="color"
        aria-label="Pick a color"
        value={/^#[0-9a-f]{6}$/i.test(value) ? value : pine}
        onChange={control.onChange}
        className="h-11 w-14 shrink-0 rounded-md border border-line-strong bg-surface p-1"
      />
      <input
        {...control}
        type="text"
        value={value}
        placeholder={pine}
        maxLength={7}
        spellCheck={false}
        autoComplete="off"
        className={clsx(inputStyles, 'max-w-40 tabular-nums')}
      />
    </div>
  )
}

type ImageInputProps = {
  id: string
  use: ImageUse
  value: string
  onChange: (value: string | undefined) => void
}

function ImageInput({ id, use, value, onChange }: ImageInputProps) {
  const upload = useUploadImage(use)
  const statusId = useId()
  const handleFile = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? []
    target.value = ''
    if (file && !upload.isPending) upload.mutate(file, { onSuccess: onChange })
  }
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center gap-4">
        {value && (
          <img
            src={value.split(' ')[0]}
            alt={`The ${use}`}
            className="max-h-16 max-w-60 rounded-sm border border-line bg-surface p-2"
          />
        )}
        <input
          id={id}
          type="file"
          accept="image/png,image/jpeg,image/webp,image/gif"
          aria-describedby={statusId}
          onChange={handleFile}
          className="max-w-full text-sm file:mr-3 file:min-h-11 file:rounded-md file:border file:border-line-strong file:bg-surface file:px-3 file:font-semibold file:text-ink"
        />
        {value && (
          <Button variant="quiet" size="sm" onClick={() => onChange('')}>
            Remove {use}
          </Button>
        )}
      </div>
      <p id={statusId} role="status" className="text-sm text-muted empty:hidden">
        {upload.isPending && 'Uploading…'}
      </p>
      <p role="alert" className="text-sm font-medium text-danger empty:hidden">
        {upload.isError && errorMessage(upload.error)}
      </p>
    </div>
  )
}
