/* Vite imports a file with the suffix `?raw` as text. */
declare module '*?raw' {
  const text: string;
  export default text;
}
