import { RichEditor } from './rich-text/rich-editor.tsx'
import { WritingField, type WritingFieldProps } from './writing-field.tsx'

type MarkdownFieldProps = Omit<WritingFieldProps, 'source' | 'top' | 'children'> & {
  value: string
  onChange: (value: string) => void
}

/** A text that is stored as Markdown. */
export const MarkdownField = ({ value, onChange, ...field }: MarkdownFieldProps) => (
  <WritingField {...field} source={{ value, onChange }}>
    {(shared) => <RichEditor {...shared} value={value} onChange={onChange} />}
  </WritingField>
)
