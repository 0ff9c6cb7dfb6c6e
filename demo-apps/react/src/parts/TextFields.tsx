interface Text {
  readonly title: string
  readonly content: string
}

interface TextFieldsProps {
  readonly text: Text
  readonly onChange: (text: Text) => void
}

/** The text fields of an article. */
export function TextFields({ text, onChange }: TextFieldsProps) {
  return (
    <>
      <label className="field">
        Title
        <input
          type="text"
          required
          maxLength={200}
          value={text.title}
          onChange={({ target }) => onChange({ ...text, title: target.value })}
        />
      </label>
      <label className="field">
        Text
        <textarea
          value={text.content}
          onChange={({ target }) => onChange({ ...text, content: target.value })}
        />
      </label>
    </>
  )
}
