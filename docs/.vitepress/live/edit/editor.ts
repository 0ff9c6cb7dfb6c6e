import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { htmlLanguage } from '@codemirror/lang-html'
import { tsxLanguage, typescriptLanguage } from '@codemirror/lang-javascript'
import { HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import type { Extension } from '@codemirror/state'
import { EditorView, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'

/** An editor of several files, each with an undo history of its own. */
export interface Editor {
  /** Shows a file. @param key - the same for the same file @param text - what it has when it is shown first */
  show(key: string, name: string, text: string): void
  /** Drops what was made of a file. */
  forget(key: string): void
  /** Puts the cursor in a line, from 1. */
  goTo(line: number): void
  focus(): void
  destroy(): void
}

/**
 * Tab is not taken: it leaves the editor, as it leaves a text field.
 *
 * @param describedBy - the id of what tells the keys
 * @param onEdit - called with the text after each change
 */
export function createEditor(
  parent: HTMLElement,
  describedBy: string,
  onEdit: (text: string) => void,
): Editor {
  const states = new Map<string, EditorState>()
  let view: EditorView | undefined
  let shown: string | undefined

  const stateOf = (name: string, text: string) =>
    EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        indentOnInput(),
        EditorView.lineWrapping,
        keymap.of([...defaultKeymap, ...historyKeymap]),
        languageOf(name),
        syntaxHighlighting(colours),
        look,
        EditorView.contentAttributes.of({
          'aria-label': `Code of ${name}`,
          'aria-describedby': describedBy,
          tabindex: '0',
        }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onEdit(update.state.doc.toString())
        }),
      ],
    })

  return {
    show(key, name, text) {
      if (view !== undefined && shown !== undefined) states.set(shown, view.state)
      shown = key
      const state = states.get(key) ?? stateOf(name, text)
      if (view === undefined) view = appear(new EditorView({ parent, state }))
      else view.setState(state)
    },
    forget(key) {
      states.delete(key)
      if (key === shown) shown = undefined
    },
    goTo(line) {
      if (view === undefined) return
      const { from } = view.state.doc.line(Math.min(line, view.state.doc.lines))
      view.dispatch({ selection: { anchor: from }, scrollIntoView: true })
      view.focus()
    },
    focus: () => view?.focus(),
    destroy: () => view?.destroy(),
  }
}

/** Shows an editor once it has measured its lines, which move them. */
function appear(view: EditorView): EditorView {
  view.dom.style.opacity = '0'
  requestAnimationFrame(() => requestAnimationFrame(() => (view.dom.style.opacity = '')))
  return view
}

function languageOf(name: string): Extension {
  if (name.endsWith('.tsx')) return tsxLanguage
  return name.endsWith('.ts') ? typescriptLanguage : htmlLanguage
}

const colour = (name: string) => `var(--live-${name})`

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: colour('keyword') },
  { tag: [tags.string, tags.special(tags.string), tags.attributeValue], color: colour('string') },
  { tag: [tags.number, tags.bool, tags.null, tags.attributeName, tags.propertyName], color: colour('name') },
  { tag: [tags.function(tags.variableName), tags.typeName, tags.className], color: colour('function') },
  { tag: [tags.tagName, tags.angleBracket], color: colour('tag') },
  { tag: tags.comment, color: colour('comment') },
])

const look = EditorView.theme({
  '&': {
    fontSize: '13px',
    maxHeight: '420px',
    color: 'var(--vp-c-text-1)',
    background: 'var(--vp-code-block-bg)',
  },
  '&.cm-focused': { outline: '2px solid var(--vp-c-brand-1)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--vp-font-family-mono)', lineHeight: '20px' },
  '.cm-content': { padding: '8px 0', caretColor: 'var(--vp-c-text-1)' },
  '.cm-gutters': { border: '0', background: 'transparent', color: 'var(--vp-c-text-3)' },
})
