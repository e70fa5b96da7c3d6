/*
 * Decodes the code pages of MS-DOS, which TextDecoder does not know. The command prompt of Windows
 * and exports of old accounting programs still write them. Each byte is a character, so every text
 * is valid.
 */

/* The characters of the bytes from 0x80. */
const pages = {
  // United States
  ibm437:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐' +
    '└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
  // Western Europe
  ibm850:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐' +
    '└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
};

/** What a file of text needs of `TextDecoder`. */
export interface Decoder {
  readonly encoding: string;
  /** Decodes the next bytes, or without any, the end of the text. */
  decode(bytes?: Buffer, options?: { readonly stream: boolean }): string;
}

/** Returns the decoder of a label such as `ibm850`, `cp850` or `850`; undefined for any other. */
export function codePageDecoder(label: string): Decoder | undefined {
  const encoding = label.toLowerCase().replace(/^(?:ibm|cp|dos)?-?(?=\d+$)/, 'ibm');
  const page = new Map(Object.entries(pages)).get(encoding);
  if (page === undefined) return undefined;
  const character = (byte: string) => page[byte.charCodeAt(0) - 0x80] ?? '';
  return {
    encoding,
    decode: (bytes) => bytes?.toString('latin1').replace(/[\x80-\xff]/g, character) ?? '',
  };
}
