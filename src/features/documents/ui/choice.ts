/** Which document is wanted, as long as somebody is choosing. */
import type { DocumentType, DocumentTypeId, OrderDocument } from '../contract.ts'

export interface DocumentChoice {
  isWanted: boolean
  type: DocumentTypeId | null
  withImages: boolean
}

export const noDocument: DocumentChoice = { isWanted: false, type: null, withImages: false }

/** Without a document there is neither a type nor pictures. */
export const wanting = (isWanted: boolean): DocumentChoice => ({ ...noDocument, isWanted })

/** Another type starts without pictures: they were asked for with the type before. */
export const ofType = (
  choice: DocumentChoice,
  { id }: Pick<DocumentType, 'id'>,
): DocumentChoice => ({
  ...choice,
  type: id,
  withImages: false,
})

/** The order that is sent; null when no document is wanted, or its type is not chosen yet. */
export const orderOf = ({ isWanted, type, withImages }: DocumentChoice): OrderDocument | null =>
  isWanted && type ? { documentType: type, includeImages: withImages } : null

/** A document is wanted, but no type is chosen. */
export const isUndecided = ({ isWanted, type }: DocumentChoice): boolean =>
  isWanted && type === null
