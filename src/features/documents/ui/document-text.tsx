import { Fragment, type ReactNode } from 'react'

import { WithBars } from '#web/ui/with-bars.tsx'

import { type Block, type Span, blocksOf } from '../markdown.ts'

/** A document to be read: its headings, lists and quotes as elements, and nothing else. */
export function DocumentText({ content, language }: { content: string; language?: string }) {
  return (
    <div className="max-w-[66ch] space-y-3 text-reading" dir="auto" lang={language}>
      {groupsOf(blocksOf(content)).map((group, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- blocks have no identity but their place
        <Fragment key={index}>{drawn(group)}</Fragment>
      ))}
    </div>
  )
}

type Item = Extract<Block, { kind: 'item' }>
type Group = Exclude<Block, Item> | { kind: 'list'; isNumbered: boolean; items: Item[] }

/** Points that follow each other are one list. */
function groupsOf(blocks: readonly Block[]): Group[] {
  const groups: Group[] = []
  for (const block of blocks) {
    if (block.kind !== 'item') {
      groups.push(block)
      continue
    }
    const isNumbered = block.number !== null
    const last = groups.at(-1)
    if (last?.kind === 'list' && (last.isNumbered === isNumbered || block.depth > 0))
      last.items.push(block)
    else groups.push({ kind: 'list', isNumbered, items: [block] })
  }
  return groups
}

const indents = ['', 'ml-5', 'ml-10']

function drawn(group: Group): ReactNode {
  switch (group.kind) {
    case 'heading':
      return group.level === 2 ? (
        <h4 className="pt-3 font-display text-h3 font-semibold">{text(group.spans)}</h4>
      ) : (
        <h5 className="pt-1 font-[650]">{text(group.spans)}</h5>
      )
    case 'paragraph':
      return <p className="whitespace-pre-line">{text(group.spans)}</p>
    case 'quote':
      return (
        <blockquote className="border-l-2 border-playhead pl-4">{text(group.spans)}</blockquote>
      )
    case 'list': {
      const List = group.isNumbered ? 'ol' : 'ul'
      const first = group.items[0]?.number ?? 1
      return (
        <List
          {...(group.isNumbered ? { start: first } : {})}
          className={`space-y-1.5 pl-6 ${group.isNumbered ? 'list-decimal' : 'list-disc'}`}
        >
          {group.items.map((item, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- points have no identity but their place
            <li key={index} className={indents[item.depth]}>
              {text(item.spans)}
            </li>
          ))}
        </List>
      )
    }
  }
}

function text(spans: readonly Span[]): ReactNode {
  return spans.map(({ text: words, isBold }, index) =>
    isBold ? (
      // oxlint-disable-next-line react/no-array-index-key -- stretches have no identity but their place
      <strong key={index} className="font-[650]">
        <WithBars text={words} />
      </strong>
    ) : (
      // oxlint-disable-next-line react/no-array-index-key -- stretches have no identity but their place
      <WithBars key={index} text={words} />
    ),
  )
}
