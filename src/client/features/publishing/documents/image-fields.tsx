import { TextField } from '#client/ui/form.tsx'
import type { ImageSize, ImageTitle } from '#shared/domain/image-titles.ts'
import { SelectField } from './fields.tsx'

export const maxAltLength = 300
const maxCaptionLength = 300

/** Why an alt text can't be used; null if it can. */
export function problemOfAlt(alt: string): string | null {
  if (alt.length > maxAltLength) return `Use at most ${maxAltLength} characters. You’ve used ${alt.length}.`
  return alt.trim() === '' ? 'Describe the image for readers who can’t see it' : null
}

type AltFieldProps = { alt: string; onChange: (alt: string) => void; error: string | null | false }

export const AltField = ({ alt, onChange, error }: AltFieldProps) => (
  <TextField
    label="Alt text"
    hint="Describes the image to screen readers and in emails with images off."
    value={alt}
    onChange={(event) => onChange(event.target.value)}
    error={error || undefined}
  />
)

const sizeOptions: { value: ImageSize; label: string }[] = [
  { value: 'small', label: 'Small' },
  { value: 'wide', label: 'Wide' },
]

type ImageTitleFieldsProps = { title: ImageTitle; onChange: (title: ImageTitle) => void }

/** Caption and size of an image. */
export const ImageTitleFields = ({ title, onChange }: ImageTitleFieldsProps) => (
  <>
    <TextField
      label="Caption"
      hint="Shown below an image in a paragraph of its own. Optional."
      value={title.caption}
      maxLength={maxCaptionLength}
      onChange={(event) => onChange({ ...title, caption: event.target.value })}
    />
    <SelectField
      label="Size"
      path="image-size"
      hint="Small is half the text’s width, wide is all of it or a little more."
      options={sizeOptions}
      empty="Normal"
      value={title.size}
      onChange={(size) => onChange({ ...title, size })}
    />
  </>
)
