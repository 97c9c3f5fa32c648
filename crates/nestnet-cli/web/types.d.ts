// What the page takes from elsewhere: d3-zoom, which is a script of its own.
declare const d3: any;
